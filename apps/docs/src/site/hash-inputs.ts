import { authOpenapi, openapi } from "@gateway/contract";
import { hashInputs } from "@gateway/process";
import { repository } from "../folders.ts";
import type { Addresses } from "../pages/put-addresses.ts";

/** The source files of the site, in addition to the documents. The lock file stands for the tools. */
const inputs = [
  "apps/docs/{browser,errors,guides,src}/**/*.*",
  "apps/docs/*.md",
  "docs/pictures/*.png",
  "deploy/{caddy/Caddyfile,**/*.{conf,env,ini,service,sh,timer,yml}}",
  "packages/design/src/*.*",
  "{CHANGELOG,GLOSSARY}.md",
  "package-lock.json",
];

export function hashSiteInputs(addresses: Addresses | null): Promise<string> {
  return hashInputs(repository, inputs, [openapi(), authOpenapi(), addresses]);
}
