import { startPageBuild } from "./build/start-page-build.ts";
import { judgeSizes, kilobytes, measurePage } from "./build/page-sizes.ts";
import { pageFolder } from "./folders.ts";

/**
 * `npm run check -w apps/console`: builds the page when it is stale, prints what it weighs, and fails above the
 * budget.
 */
const build = await startPageBuild(pageFolder, (line) => console.error(line));
await build.ended;
if (build.failure() === null) {
  const sizes = await measurePage(pageFolder);
  const screens = [...sizes.screens].map(([name, bytes]) => `${name} ${kilobytes(bytes)}`).join(", ");
  console.log(
    `kB gzipped: first visit ${kilobytes(sizes.firstScript)} JS, ${kilobytes(sizes.firstStyle)} CSS; all ${kilobytes(sizes.all)}; screens: ${screens}`,
  );
  const faults = judgeSizes(sizes);
  for (const fault of faults) {
    console.error(`Too large: ${fault}.`);
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
} else {
  process.exitCode = 1;
}
