import { integerSetting, originSetting, type Setting } from "@gateway/kernel";
import { forwardableServices, moneyServices, upstreamSettingName, type ForwardableService } from "./services.ts";

/** The address of an external service, and the secret with which both sides sign. */
export type UpstreamConfig = { service: ForwardableService; url: string; secret: string };

export type UpstreamsConfig = { upstreams: readonly UpstreamConfig[]; upstreamTimeoutMs: number };

type UpstreamName = ReturnType<typeof upstreamSettingName<ForwardableService>>;

type UpstreamSettings = Record<UpstreamName | `${UpstreamName}_SECRET`, Setting<string | null>> & {
  UPSTREAM_TIMEOUT_MS: Setting<number>;
};

/** Listed in the README's table, a pair for each service. */
export const upstreamSettings: UpstreamSettings = {
  // Each service contributes its two names, as the type says.
  ...(Object.fromEntries(forwardableServices.flatMap(settingsOf)) as Omit<UpstreamSettings, "UPSTREAM_TIMEOUT_MS">),
  UPSTREAM_TIMEOUT_MS: integerSetting({
    description: "Longest time for a response of an upstream, in ms, including its last byte and a retry",
    default: 10_000,
    min: 100,
    // Due work holds its item for 30 s.
    max: 20_000,
  }),
};

type UpstreamValues = Partial<{ [Name in keyof UpstreamSettings]: ReturnType<UpstreamSettings[Name]["read"]> }> & {
  LIVEMODE?: boolean;
};

/** For the check of readSettings. */
export function checkUpstreams(read: UpstreamValues): string[] {
  const found = upstreamsOf(read);
  return [
    ...forwardableServices.flatMap((service) => checkPair(service, read)),
    ...found.flatMap((upstream) => checkTransport(upstream, read)),
    ...checkMoney(found),
    ...checkSecretsDiffer(found),
  ];
}

export function upstreamsConfigOf(values: UpstreamValues & { UPSTREAM_TIMEOUT_MS: number }): UpstreamsConfig {
  return { upstreams: upstreamsOf(values), upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS };
}

function upstreamsOf(values: UpstreamValues): UpstreamConfig[] {
  return forwardableServices.flatMap((service) => {
    const { url, secret } = pairOf(service, values);
    return url && secret ? [{ service, url, secret }] : [];
  });
}

function pairOf(service: ForwardableService, values: UpstreamValues) {
  const name = upstreamSettingName(service);
  return { name, url: values[name], secret: values[`${name}_SECRET`] };
}

function settingsOf(service: ForwardableService): [string, Setting<string | null>][] {
  const name = upstreamSettingName(service);
  return [
    [
      name,
      originSetting({
        description: `Address of an external ${service} service. The gateway checks its requests and forwards them`,
        default: "the service is here",
      }),
    ],
    [`${name}_SECRET`, secretSetting(`Secret that the gateway and \`${name}\` share`)],
  ];
}

/** A value made by openssl has 44 characters, about 30 of them different. */
const leastCharacters = 32;
const leastDifferent = 12;

/** Never repeated in a fault. */
function secretSetting(description: string): Setting<string | null> {
  return {
    description: `${description}: 32 characters or more`,
    default: "none",
    read: (text) => {
      if (text === undefined) {
        return null;
      }
      if (text.length < leastCharacters || new Set(text).size < leastDifferent) {
        throw new Error(
          `is too weak: it needs ${leastCharacters} characters, ${leastDifferent} of them different; make one with: openssl rand -base64 32`,
        );
      }
      return text;
    },
  };
}

function checkPair(service: ForwardableService, read: UpstreamValues): string[] {
  const { name, url, secret } = pairOf(service, read);
  if (url && secret === null) {
    return [`${name}_SECRET is needed with ${name}: both sides sign with it; make one with: openssl rand -base64 32`];
  }
  return secret && url === null ? [`${name} is needed with ${name}_SECRET: it says where the service is`] : [];
}

/** Requires encryption, except for a service on the same machine in development. */
function checkTransport({ service, url }: UpstreamConfig, { LIVEMODE }: UpstreamValues): string[] {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:") {
    return [];
  }
  const name = upstreamSettingName(service);
  if (LIVEMODE === true) {
    return [`${name} must begin with https:// in production (LIVEMODE=true)`];
  }
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname)
    ? []
    : [`${name} must begin with https://; http:// is for a service on this machine, in development`];
}

function checkMoney(found: readonly UpstreamConfig[]): string[] {
  const missing = moneyServices.filter((service) => !found.some((upstream) => upstream.service === service));
  return missing.length === 0 || missing.length === moneyServices.length
    ? []
    : [
        `${missing.map((service) => upstreamSettingName(service)).join(", ")} missing: ${moneyServices.join(", ")} move the same money, so all five are upstreams or none is`,
      ];
}

/** The holder of a secret can act as its service, and as the gateway towards it. */
function checkSecretsDiffer(found: readonly UpstreamConfig[]): string[] {
  const bySecret = Map.groupBy(found, ({ secret }) => secret);
  return [...bySecret.values()]
    .filter((sharing) => new Set(sharing.map(({ url }) => url)).size > 1)
    .map(
      (sharing) =>
        `${sharing.map(({ service }) => `${upstreamSettingName(service)}_SECRET`).join(", ")} must differ: each is for a different address`,
    );
}
