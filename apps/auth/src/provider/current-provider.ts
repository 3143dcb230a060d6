import type { Clock } from "@gateway/kernel";
import { signingKeyAt, type PrivateJwk, type PublicJwk, type SigningKeyWithSecret } from "@gateway/platform/auth";
import type { GatewayProvider } from "./gateway-provider.ts";

export type CurrentProvider = Awaited<ReturnType<typeof startCurrentProvider>>;

/** Constructs the library again whenever its keys change, because it accepts keys only at construction. */
export async function startCurrentProvider(deps: {
  loadKeys(): Promise<SigningKeyWithSecret[]>;
  /** The first key signs, all are published. */
  build(keys: readonly PrivateJwk[]): GatewayProvider;
  clock: Clock;
}) {
  let known = await deps.loadKeys();
  let built: { provider: GatewayProvider; keys: readonly SigningKeyWithSecret[]; untilMs: number } | null = null;
  const current = () => {
    const now = deps.clock.now();
    if (built === null || now >= built.untilMs) {
      const keys = inOrderOfUse(known, now);
      built = { provider: deps.build(keys.map((key) => key.privateJwk)), keys, untilMs: nextChangeMs(known, now) };
    }
    return built;
  };
  current();
  const readAgain = async (): Promise<void> => {
    const loaded = await deps.loadKeys();
    if (JSON.stringify(loaded) !== JSON.stringify(known)) {
      known = loaded;
      built = null;
    }
  };
  let reading: Promise<void> = Promise.resolve();
  return {
    /**
     * The library with the current keys. Requests in flight may finish with the previous one: all state is in the
     * database.
     */
    get: (): GatewayProvider => current().provider,
    keys: (): readonly PublicJwk[] => current().keys.map((key) => key.publicJwk),
    /**
     * Reads the keys again. Rejects when the database does not respond, and the known keys stay in use. Readings run
     * one after the other. Of two at once, the slower one may have read the earlier state, and a rolled key would be
     * forgotten again.
     */
    reload: (): Promise<void> => {
      reading = reading.catch(() => {}).then(readAgain);
      return reading;
    },
  };
}

function inOrderOfUse(keys: readonly SigningKeyWithSecret[], nowMs: number): SigningKeyWithSecret[] {
  const published = keys.filter(({ retiresAt }) => retiresAt === null || retiresAt.getTime() > nowMs);
  const signing = signingKeyAt(published, nowMs);
  return signing ? [signing, ...published.filter((key) => key !== signing)] : [];
}

function nextChangeMs(keys: readonly SigningKeyWithSecret[], nowMs: number): number {
  const changes = keys.flatMap(({ signsFrom, retiresAt }) => [signsFrom.getTime(), retiresAt?.getTime() ?? Infinity]);
  return Math.min(...changes.filter((atMs) => atMs > nowMs), Infinity);
}
