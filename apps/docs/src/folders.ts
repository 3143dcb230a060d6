import { join } from "node:path";

/** The workspace, where the written pages lie as they do in the site, and the repository around it. */
export const workspace = join(import.meta.dirname, "..");
export const repository = join(workspace, "../..");

/** Where `npm run build` puts the site, and where it is served from. */
export const siteFolder = join(workspace, "dist");
