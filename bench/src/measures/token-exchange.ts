import { request } from "undici";
import { allowApplication } from "../load/allow-application.ts";
import { atOnce, authorizeTarget, createTokenClient, type TokenClient } from "../load/token-client.ts";
import { atLeast, median, round } from "../row.ts";
import type { BenchServer } from "../servers/bench-server.ts";
import { createConnectedApplication } from "../setup/connected-application.ts";
import type { Measure } from "./measure.ts";

const addresses = { authUrl: "https://auth.bench.example", apiUrl: "https://api.bench.example" };
const application = { redirectUri: "https://app.bench.example/callback", scope: "openid email profile write" };

type Name = "auth" | "bare";
type Contender = { name: Name; server: BenchServer; client: TokenClient };
type Figure = "exchanges" | "refreshes" | "cpuMicros";

/**
 * The cost of storing codes and refresh tokens in Postgres, where each is used once over all processes and a lost
 * response is repeated. The measure is the number of exchanges and refreshes per second of one of our processes. It is
 * compared with oidc-provider with the same configuration and its adapter in memory.
 */
export const measureTokenExchange: Measure = async ({ installation, startServer, quick }) => {
  const { production } = installation;
  const connected = await createConnectedApplication(production, application);
  const { applicationId } = connected;
  const auth = await startServer("auth.ts", {
    ...addresses,
    databaseUrl: production.url,
    encryptionKey: production.encryptionKey.toString("base64"),
  });
  const bare = await startServer("bare-provider.ts", { ...addresses, ...application, applicationId });
  const target = authorizeTarget({ ...application, applicationId });
  const cookies = {
    auth: await allowApplication(auth.port, { target, ...connected }),
    bare: await (await request(`http://127.0.0.1:${bare.port}/cookie`)).body.text(),
  };
  const contenders = Object.entries({ auth, bare }).map(([key, server]): Contender => {
    // The keys are those of the object above.
    const name = key as Name;
    const { port } = server;
    return { name, server, client: createTokenClient({ port, cookie: cookies[name], applicationId, ...application }) };
  });
  try {
    const samples = await takeTurns(contenders, quick ? { rounds: 1, codes: 16 } : { rounds: 7, codes: 400 });
    return rowOf(samples);
  } finally {
    await Promise.all(contenders.map(({ client }) => client.close()));
  }
};

const warmUps = 2;

type Samples = Readonly<Record<Name, Record<Figure, number>[]>>;

/** Takes two rounds first to warm up, because the compiler takes that long to optimise code that is new to it. */
async function takeTurns(
  contenders: readonly Contender[],
  { rounds, codes }: { rounds: number; codes: number },
): Promise<Samples> {
  const samples: Samples = { auth: [], bare: [] };
  for (let turn = -warmUps; turn < rounds; turn += 1) {
    for (const contender of turn % 2 === 0 ? contenders : contenders.toReversed()) {
      const sample = await takeSample(contender, codes);
      if (turn >= 0) {
        samples[contender.name].push(sample);
      }
    }
  }
  return samples;
}

async function takeSample({ server, client }: Contender, count: number): Promise<Record<Figure, number>> {
  const codes = await client.authorize(count);
  const before = await server.report();
  const exchanged = await client.exchange(codes);
  const refreshed = await client.refresh(exchanged.refreshTokens.slice(0, atOnce), Math.ceil(count / atOnce));
  const { cpuMicros } = await server.report();
  return {
    exchanges: exchanged.perSecond,
    refreshes: refreshed.perSecond,
    cpuMicros: (cpuMicros - before.cpuMicros) / (2 * count),
  };
}

function rowOf(samples: Samples): Awaited<ReturnType<Measure>> {
  const valuesOf = (name: Name, figure: Figure): number[] => samples[name].map((sample) => sample[figure]);
  const ratioOf = (figure: Figure): number =>
    median(valuesOf("auth", figure).map((value, turn) => value / (valuesOf("bare", figure)[turn] ?? Number.NaN)));
  const figureOf = (name: Name, figure: Figure): number => round(median(valuesOf(name, figure)));
  return {
    id: "l",
    name: "Codes and refresh tokens exchanged, stored in Postgres",
    checks: [
      atLeast(0.7, ratioOf("exchanges"), "exchanges of codes/s / oidc-provider in memory"),
      atLeast(0.7, ratioOf("refreshes"), "refreshes/s / oidc-provider in memory"),
    ],
    figures: {
      "exchanges/s": figureOf("auth", "exchanges"),
      "refreshes/s": figureOf("auth", "refreshes"),
      "µs CPU/exchange": figureOf("auth", "cpuMicros"),
      "in memory: exchanges/s": figureOf("bare", "exchanges"),
      "in memory: refreshes/s": figureOf("bare", "refreshes"),
      "in memory: µs CPU/exchange": figureOf("bare", "cpuMicros"),
    },
  };
}
