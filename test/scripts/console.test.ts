import { join } from 'node:path';
import { playScripts } from '../support/script.ts';

playScripts(join(import.meta.dirname, 'console'), { every: 2 });
