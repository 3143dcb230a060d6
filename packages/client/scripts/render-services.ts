import { operations, services, type OperationPolicy } from "@gateway/contract";

/**
 * Renders the paths of each service, by the word after the version, in few bytes, because each client carries them.
 */
export function renderServices(): string {
  const owners = readOwners();
  const lines = services.map((service) => {
    const nouns = [...owners].flatMap(([noun, owner]) => (owner === service ? [noun] : []));
    return `  ${JSON.stringify(service)}: ${JSON.stringify(nouns.filter((noun) => !isImplied(owners, noun)).join(" "))},\n`;
  });
  return [
    "/**\n",
    " * The services that have direct addresses, and their paths: the part after `/api/v1/`. The part after `sandbox/` too is left\n",
    " * out where it is of the same service.\n",
    " */\n",
    `export const services = {\n${lines.join("")}} as const;\n\n`,
    "/** A service that has a direct address. */\n",
    "export type Service = keyof typeof services;\n",
  ].join("");
}

function readOwners(): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { path, service, operationId } of Object.values<OperationPolicy>(operations)) {
    const [, noun = ""] = /^\/api\/v1\/((?:sandbox\/)?[^/]+)/.exec(path) ?? [];
    if ((owners.get(noun) ?? service) !== service) {
      throw new Error(`The client tells services apart by ${noun}, and ${operationId} belongs to another one.`);
    }
    owners.set(noun, service);
  }
  return owners;
}

function isImplied(owners: ReadonlyMap<string, string>, noun: string): boolean {
  const plain = noun.replace(/^sandbox\//, "");
  return plain !== noun && owners.get(plain) === owners.get(noun);
}
