import { join } from "node:path";

export const workspace = join(import.meta.dirname, "..");
export const repository = join(workspace, "../..");

export const pageFolder = join(workspace, "dist");
