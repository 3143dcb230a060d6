import { join } from "node:path";

/** The workspace, and the repository around it. */
export const workspace = join(import.meta.dirname, "..");
export const repository = join(workspace, "../..");

/** Where `npm run build` puts the page, and where it is served from. */
export const pageFolder = join(workspace, "dist");
