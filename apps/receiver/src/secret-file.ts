import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const heading = `# The secrets of the webhooks that send to the local receiver, one per line. Every delivery reads them again.
# The response of POST /api/v1/webhooks can be appended as it is: curl ... | tee -a FILE
`;

/** Creates the file if it is missing, so that secrets that are appended later are readable by its owner only. */
export async function createSecretFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, heading, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) {
      throw error;
    }
  }
}

/** Reads at every delivery, because a watcher fails with shared folders and with editors that replace a file. */
export async function readSecretFile(file: string): Promise<string[]> {
  try {
    return parseSecrets(await readFile(file, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) {
      return [];
    }
    throw error;
  }
}

/** Every webhook secret in the text, whatever surrounds it: one on a line, or JSON responses without separators. */
export function parseSecrets(text: string): string[] {
  const content = text.replaceAll(/^\s*#.*$/gm, "");
  return [...new Set(content.match(/(?<![\w-])whsec_[A-Za-z0-9_-]{43}(?![\w-])/g))];
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
