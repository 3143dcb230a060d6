import { parseArgs } from "node:util";
import { buildPage } from "./build/build-page.ts";

/** `npm run build -w apps/console [-- --out folder]` */
const { values } = parseArgs({ options: { out: { type: "string" } } });

try {
  await buildPage(values.out);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
