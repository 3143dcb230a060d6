import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import type {} from "./global-setup.ts";

/**
 * An empty folder that only our user may enter. It disappears at the end of the run, even of a killed run. An embedded
 * server that still runs on a data folder inside it is stopped first.
 */
export function createTestFolder(): Promise<string> {
  return mkdtemp(join(inject("testRoot"), "folder-"));
}
