/**
 * Runs TypeScript files one after the other, each as the main module of a process with an environment of its own would
 * be: what a process costs to start is paid once. Copied into the folder of the files and started by
 * `startSnippetRunner`.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

let runs = 0;
// What a file imports of its own folder is loaded anew for each, because a client is made there of the environment.
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
// Of a file that ended before, it is told with the next one's.
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
