import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

type Note = { clientId: string | undefined; authUrl: string; apiUrl: string };

/** Writes what `npm run demo:oauth` needs. Later starts keep the application and update the addresses. */
export async function noteDemoApplication(dataDir: string, { clientId, authUrl, apiUrl }: Note): Promise<void> {
  const file = join(dataDir, "demo-application.json");
  const known = clientId ?? (await readClientId(file));
  if (known !== null) {
    await writeFile(`${file}.part`, `${JSON.stringify({ clientId: known, authUrl, apiUrl }, null, 2)}\n`);
    await rename(`${file}.part`, file);
  }
}

async function readClientId(file: string): Promise<string | null> {
  try {
    const note: unknown = JSON.parse(await readFile(file, "utf8"));
    return note && typeof note === "object" && "clientId" in note && typeof note.clientId === "string"
      ? note.clientId
      : null;
  } catch {
    return null;
  }
}
