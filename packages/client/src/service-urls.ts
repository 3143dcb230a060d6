import { services, type Service } from "./generated/services.ts";

/** The addresses of services that are not called through the gateway. */
export type ServiceUrls = { readonly [Name in Service]?: string | undefined };

/** The service that a path belongs to; undefined for the gateway's own. */
export function serviceOf(path: string): Service | undefined {
  const [, inSandbox = "", noun = ""] = /^\/api\/v1\/(sandbox\/)?([^/]+)/.exec(path) ?? [];
  return find(inSandbox + noun) ?? find(noun);
}

function find(noun: string): Service | undefined {
  // `services` is a literal, so its keys are those of its type.
  const names = Object.keys(services) as Service[];
  return names.find((name) => services[name].split(" ").includes(noun));
}
