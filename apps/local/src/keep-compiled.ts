import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Imported before the program: what Node has compiled is kept beside the packages that it is of. To compile it anew was
 * a third of a start's processor time.
 */
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url)));
