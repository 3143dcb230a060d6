import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AdminConfig } from "./config.ts";

/** The given keys, else the sandbox's own, which `npm start` keeps next to its data. Null when neither exists. */
export async function findEncryptionKeys({
  encryptionKeys,
  databaseUrl,
  dataDir,
}: AdminConfig): Promise<readonly Buffer[] | null> {
  if (encryptionKeys !== null || databaseUrl !== null) {
    return encryptionKeys;
  }
  try {
    return [Buffer.from(await readFile(join(dataDir, "encryption-key"), "utf8"), "base64")];
  } catch {
    return null;
  }
}
