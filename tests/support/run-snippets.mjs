/**
 * Runs TypeScript files one after the other, each like the main module of a process with its own environment. The start
 * of a process is paid only once. Copied into the folder of the files and started by `startSnippetRunner`.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

let runs = 0;
// Each file loads its imports from its own folder again, because a client there is created from the environment.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return /^file:(?!.*\/node_modules\/)/.test(found.url) ? { ...found, url: `${found.url}?run=${runs}` } : found;
  },
});

let printed = "";
process.stderr.write = (text) => {
  printed += text;
  return true;
};
// A rejection of an earlier file is reported with the next file's output.
process.on("unhandledRejection", (error) => (printed += error?.stack ?? String(error)));

process.on("message", async ({ file, env }) => {
  runs += 1;
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, env);
  await import(pathToFileURL(file).href).catch((error) => (printed += error?.stack ?? String(error)));
  process.send({ stderr: printed });
  printed = "";
});
