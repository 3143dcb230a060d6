import { join } from "node:path";

export const workspace = join(import.meta.dirname, "..");
export const repository = join(workspace, "../..");

export const siteFolder = join(workspace, "dist");
