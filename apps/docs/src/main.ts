import { runProgram } from "@gateway/process";
import { startDocs, tellOfBuild } from "./app.ts";
import { docsProgramSettings, readDocsConfig } from "./config.ts";

await runProgram({
  help: {
    command: "npm run docs",
    does: "Serves the documentation, and builds it when it is missing or older than its sources.",
    settings: docsProgramSettings,
    example: "DOCS_PORT=8090 npm run docs",
  },
  stopWaitsFor: "a build of the site to end",
  readConfig: () => readDocsConfig(process.env),
  start: async (config) => {
    const docs = await startDocs(config, { print: (line) => console.log(line) });
    console.log(`The documentation is at ${docs.url}`);
    void tellOfBuild(docs, (line) => console.log(line));
    return docs;
  },
  portsOf: ({ host, port }) => ({ DOCS_PORT: { host, port } }),
});
