import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import type {} from "./global-setup.ts";

/**
 * An empty folder that only we may enter. It disappears at the end of the run, however that ends, and an embedded
 * server that still runs on a data folder inside it is stopped before.
 */
export function createTestFolder(): Promise<string> {
  return mkdtemp(join(inject("testRoot"), "folder-"));
}
