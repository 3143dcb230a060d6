import { mkdir, writeFile } from "node:fs/promises";
import { generatedFolder, renderClient } from "./render-client.ts";

await mkdir(generatedFolder, { recursive: true });
for (const [name, text] of Object.entries(renderClient())) {
  await writeFile(new URL(name, generatedFolder), text);
}
