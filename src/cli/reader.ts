/** Entry of the thread that reads and converts files from anywhere (dist/reader.mjs), for the command line and the extension. */
import { readJobs, serveJob } from '../simulator/index';
import { exportPieces } from './exportPieces';

await serveJob({ ...readJobs, export: exportPieces });
