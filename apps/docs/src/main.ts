import { runProgram } from "@gateway/process";
import { startDocs } from "./app.ts";
import { readDocsConfig } from "./config.ts";

await runProgram({
  readConfig: () => readDocsConfig(process.env),
  start: async (config) => {
    const docs = await startDocs(config, { print: (line) => console.log(line) });
    console.log(`The documentation is at ${docs.url}`);
    return docs;
  },
  portsOf: ({ host, port }) => ({ DOCS_PORT: { host, port } }),
});
