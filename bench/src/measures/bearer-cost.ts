import { compare } from "../compare.ts";
import { atMost, round } from "../row.ts";
import { startTokenIssuer } from "../setup/token-issuer.ts";
import type { Measure } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 16;

/**
 * What it costs that a request comes with an access token in the place of an API key: one gateway process, the page from memory, by
 * turns with the one and the other. The token's signature is checked once, at its first request; each later one pays for a longer
 * header, its hash, and the permission that comes of role and scopes.
 */
export const measureBearerCost: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production } = installation;
  const issuer = await startTokenIssuer();
  try {
    const { accountId, key } = await production.createAccount();
    const token = issuer.mint(await production.createGrant(accountId));
    const { authProvider } = issuer;
    const servers = [await startServer("gateway.ts", production.gatewayOptions({ page: "memory", authProvider }))];
    const result = await compare(
      generator,
      [
        { name: "key", servers, workload: { kind: "get", target, key } },
        { name: "token", servers, workload: { kind: "getWithToken", target, token } },
      ],
      quick ? { rounds: 1, seconds: 0.2, connections } : { rounds: 11, seconds: 2, connections },
    );
    return {
      id: "k",
      name: `GET ${target} with an access token, the page from memory`,
      checks: [atMost(1.15, result.ratio("cpuMicrosPerRequest", "token", "key"), "CPU/request / with an API key")],
      figures: {
        "token: µs CPU/request": round(result.median("token", "cpuMicrosPerRequest")),
        "key: µs CPU/request": round(result.median("key", "cpuMicrosPerRequest")),
        "token: requests/s": round(result.median("token", "requestsPerSecond")),
        "key: requests/s": round(result.median("key", "requestsPerSecond")),
        "length of the token": token.length,
        "gateway's share of a core": round(result.median("token", "busyShare")),
      },
    };
  } finally {
    await issuer.stop();
  }
};
