/** The suite's tests, in the order in which they run: later files find what earlier ones profiled. */
import './activation.test';
import './profile.test';
import './inputs.test';
import './hints.test';
import './live.test';
import './errors.test';
import './profileEditor.test';
import './settings.test';
import './profiles.test';
import './agents.test';
import './files.test';
import './range.test';
import './places.test';
import './packages.test';
import './adviceFixes.test';
