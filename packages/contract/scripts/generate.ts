import { mkdir, writeFile } from "node:fs/promises";
import { generatedFolder, renderContract } from "./render-contract.ts";

await mkdir(generatedFolder, { recursive: true });
for (const [name, text] of Object.entries(await renderContract())) {
  await writeFile(new URL(name, generatedFolder), text);
}
