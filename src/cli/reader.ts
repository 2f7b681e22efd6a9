/** Entry of the thread that reads and converts files from anywhere (dist/reader.mjs), for the command line and the extension. */
import { readJobs, serveJobs } from '../simulator/index';
import { exportPieces } from './exportPieces';

serveJobs({ ...readJobs, export: exportPieces });
