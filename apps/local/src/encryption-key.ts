import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The sandbox's own keys, each made once and kept in the data folder, readable by its owner alone. */
export async function keepEncryptionKey(
  dataDir: string,
  name: "encryption-key" | "console-session-key" = "encryption-key",
): Promise<Buffer> {
  const file = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw error;
    }
  }
  const key = Buffer.from(await readFile(file, "utf8"), "base64");
  if (key.length !== 32) {
    throw new Error(
      `The file ${file} does not hold a key of 32 bytes in base64. Restore it, or everything encrypted with it is lost.`,
    );
  }
  return key;
}
