import { ConfigurationError } from "@gateway/kernel";
import { startDocs } from "./app.ts";
import { readDocsConfig } from "./config.ts";

try {
  const docs = await startDocs(readDocsConfig(process.env), { print: (line) => console.log(line) });
  console.log(`The documentation is at ${docs.url}`);
  const stop = (): void => void docs.stop().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `${error.message}. Another program has this port: set DOCS_PORT to a free one.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
