/** Copies the icons that the console uses from the package lucide-react into its sources: `npm run icons`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSOLE_FOLDER } from './console-config.ts';
import { lucideFiles } from './lucide-file.ts';

const { source, licence } = await lucideFiles();
writeFileSync(join(CONSOLE_FOLDER, 'src/icons/lucide.ts'), source);
writeFileSync(join(CONSOLE_FOLDER, 'src/icons/LICENSE'), licence);
