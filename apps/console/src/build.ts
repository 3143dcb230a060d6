import { watch } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPage } from "./build/build-page.ts";
import { repository } from "./folders.ts";

/**
 * `npm run build -w apps/console [-- --out folder]`; `npm run dev -w apps/console` builds again whenever a source
 * changes.
 */
const { values } = parseArgs({ options: { out: { type: "string" }, watch: { type: "boolean", default: false } } });

/** False: it says why. */
async function build(): Promise<boolean> {
  try {
    await buildPage(values.out);
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return false;
  }
}

const isBuilt = await build();
if (!values.watch) {
  process.exitCode = isBuilt ? 0 : 1;
} else {
  let [isBuilding, isStale] = [false, false];
  const rebuild = async (): Promise<void> => {
    isStale = true;
    if (isBuilding) {
      return;
    }
    isBuilding = true;
    while (isStale) {
      isStale = false;
      const startedAtMs = performance.now();
      if (await build()) {
        console.log(`Built in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s: load the page again.`);
      }
    }
    isBuilding = false;
  };
  const follow = async (folder: string): Promise<void> => {
    for await (const _change of watch(join(repository, folder), { recursive: true })) {
      void rebuild();
    }
  };
  console.log("Waits for changes of the page, the client and the design.");
  await Promise.all(["apps/console/browser", "packages/client/src", "packages/design/src"].map(follow));
}
