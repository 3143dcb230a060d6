import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findEmbeddedUrl, startEmbeddedPostgres } from "../../src/index.ts";

export type TestFolder = {
  path: string;
  /** Stops the server that a killed owner may have left, then deletes everything. */
  remove(): Promise<void>;
};

/** A data folder inside a folder that only its owner may enter, as under a home directory. */
export async function createTestFolder(): Promise<TestFolder> {
  const parent = await mkdtemp(join(tmpdir(), "gateway-folder-"));
  await chmod(parent, 0o700);
  const path = join(parent, "data");
  return {
    path,
    remove: async () => {
      if (await findEmbeddedUrl(path)) {
        await (await startEmbeddedPostgres({ dataDir: path })).stop();
      }
      await rm(parent, { recursive: true, force: true });
    },
  };
}
