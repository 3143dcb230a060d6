import { services, type Service } from "./generated/services.ts";

/** Where the services are that are not to be asked at the gateway. */
export type ServiceUrls = { readonly [Name in Service]?: string | undefined };

/** The service whose path it is; undefined for what is the gateway's own. */
export function serviceOf(path: string): Service | undefined {
  const [, inSandbox = "", noun = ""] = /^\/api\/v1\/(sandbox\/)?([^/]+)/.exec(path) ?? [];
  return find(inSandbox + noun) ?? find(noun);
}

function find(noun: string): Service | undefined {
  const names = Object.keys(services) as Service[];
  return names.find((name) => services[name].split(" ").includes(noun));
}
