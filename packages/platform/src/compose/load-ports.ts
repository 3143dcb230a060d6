import { ConfigurationError, textSetting } from "@gateway/kernel";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Platform } from "./platform.ts";
import { noPorts, type CreatePorts, type OutsidePorts, type PlannedFact } from "@gateway/ports";
import type { FactReceipt } from "@gateway/engine/work";

type Environment = Readonly<Record<string, string | undefined>>;

/** A fact from an external system, with the port that it came through. */
type ToldFact = { accountId: string } & Pick<PlannedFact, "port" | "factId" | "fact">;

/** The `createPorts` that a module of `PORTS` exports. When `inbox.receive` rejects, the fact must be sent again. */
export type CreateOutside = (given: {
  settings: Environment;
  inbox: { receive(fact: ToldFact): Promise<FactReceipt> };
}) => Partial<OutsidePorts> | Promise<Partial<OutsidePorts>>;

export type PortsModule = { path: string; settings: Environment };

export const portsSetting = textSetting({
  description:
    "Production only: module that exports `createPorts` and connects your chain, rail, identity checks, price sources and venue. A relative path starts at the repository",
  default: "",
});

/** Money of the sandbox must never leave it. */
export function checkPortsModule(read: { LIVEMODE?: boolean; PORTS?: string }): string[] {
  return read.LIVEMODE === false && read.PORTS
    ? ["PORTS is for production (LIVEMODE=true); the sandbox simulates external systems"]
    : [];
}

export function portsModuleOf({ PORTS: path }: { PORTS: string }, settings: Environment): PortsModule | null {
  return path === "" ? null : { path: resolve(import.meta.dirname, "../../..", path), settings };
}

/** An unusable module is a ConfigurationError. `platform` accepts the module's facts from its first moment. */
export async function loadPorts(
  module: PortsModule | null,
  platform: Pick<Platform, "inAccount">,
): Promise<CreatePorts> {
  const ports = module ? await createOutside(module, platform) : {};
  return () => ({ ...noPorts, ...ports });
}

async function createOutside(
  { path, settings }: PortsModule,
  platform: Pick<Platform, "inAccount">,
): Promise<Partial<OutsidePorts>> {
  await stat(path).catch(() => refuse(`PORTS names ${path}, which does not exist`));
  // An operator wrote the module, and only the guide says which type its `createPorts` has.
  const loaded = (await import(pathToFileURL(path).href).catch((error: unknown) =>
    refuse(`PORTS names ${path}, which cannot be loaded (${messageOf(error)})`),
  )) as { createPorts?: CreateOutside };
  const { createPorts } = loaded;
  if (typeof createPorts !== "function") {
    return refuse(`PORTS names ${path}, which must export a function createPorts`);
  }
  const receive = (fact: ToldFact) => platform.inAccount(fact.accountId, ({ work }) => work.inbox.receive(fact));
  const ports = await Promise.try(createPorts, { settings, inbox: { receive } }).catch((error: unknown) =>
    refuse(`createPorts of PORTS, ${path}, failed (${messageOf(error)})`),
  );
  return typeof ports === "object" && ports !== null
    ? ports
    : refuse(
        `createPorts of PORTS, ${path}, must return an object with chain, rail, kycEngine, priceSources and venue`,
      );
}

function refuse(fault: string): never {
  throw new ConfigurationError([fault]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
