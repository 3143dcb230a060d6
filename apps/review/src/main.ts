import { writeFile } from "node:fs/promises";
import { reviewDocuments } from "./app.ts";
import { help, parseArguments } from "./arguments.ts";
import { renderFailure, renderMarkdown } from "./render-markdown.ts";
import { renderText } from "./render-text.ts";
import { UsageError } from "./usage-error.ts";

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const args = parseArguments(process.argv.slice(2));
  if (args.isHelp) {
    console.log(help);
    return 0;
  }
  const review = await reviewDocuments({ from: process.cwd(), base: args.base }).catch(async (error: unknown) => {
    // The comment says it too, or a pull request shows the report of a commit before.
    const message = error instanceof UsageError ? error.message : "The review failed: its own log says why.";
    await (args.markdown === null ? undefined : writeFile(args.markdown, renderFailure(args.base, message)));
    throw error;
  });
  if (review.isBehind) {
    console.error(
      `${args.base} has commits that are not here; what they added looks as if it were taken away. Compare with where the branch began: --base $(git merge-base ${args.base} HEAD)`,
    );
  }
  if (args.markdown !== null) {
    await writeFile(args.markdown, renderMarkdown(review));
  }
  console.log(renderText(review));
  return review.open.length > 0 ? 1 : 0;
}
