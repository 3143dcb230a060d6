import { startDispatcher, type RunningDispatcher } from "@gateway/dispatcher";
import { dispatcherConfigOf } from "@gateway/dispatcher/config";
import { startDocs, type RunningDocs } from "@gateway/docs";
import { docsConfigOf } from "@gateway/docs/config";
import { startGateway, type RunningGateway } from "@gateway/gateway";
import { gatewayConfigOf } from "@gateway/gateway/config";
import { startAuth, type RunningAuth } from "@gateway/auth";
import { authConfigOf } from "@gateway/auth/config";
import { createCipher } from "@gateway/kernel";
import { hostOf } from "@gateway/engine/public-host";
import { openPlatformDatabase } from "@gateway/platform/compose/open-platform-database";
import { hostForUrl, type Closers } from "@gateway/process";
import { startReceiver, type RunningReceiver } from "@gateway/receiver";
import { receiverConfigOf } from "@gateway/receiver/config";
import { startWorker } from "@gateway/worker";
import { workerConfigOf } from "@gateway/worker/config";
import type { LocalDeps, RunningSystem } from "./app.ts";
import type { LocalConfig } from "./config.ts";
import { createDemo, type Demo } from "./demo.ts";
import { noteDemoApplication } from "./demo-application.ts";
import { keepEncryptionKey } from "./encryption-key.ts";
import { agreeOnConsole, startOwnConsole, type ConsoleAgreement } from "./own-console.ts";

type RunningPrograms = Omit<RunningSystem, "failed" | "stop">;

/** Starts all programs in this process, and a demo account at the first start. */
export async function startPrograms(
  config: LocalConfig & { databaseUrl: string },
  { print, step = () => {}, closers }: LocalDeps & { closers: Closers },
): Promise<RunningPrograms> {
  const { values, dataDir, databaseUrl } = config;
  step("Starting the dispatcher, its receiver and the worker");
  const encryptionKeys = values.ENCRYPTION_KEYS ?? [await keepEncryptionKey(dataDir)];
  const receiver = values.LIVEMODE ? null : await startReceiver(receiverConfigOf(values, { dataDir }), { print });
  closers.add(async () => receiver?.stop());
  const system: SystemConfig = { ...config, encryptionKeys, receiver };
  const dispatcher = await startOwnDispatcher(system, print);
  closers.add(() => dispatcher.stop());
  const worker = await startWorker(workerConfigOf(values, system));
  closers.add(() => worker.stop());
  step("Starting the documentation");
  const agreement = agreeOnConsole(config);
  const addresses = {
    gatewayUrl: config.apiUrl,
    authUrl: config.authUrl,
    serviceUrls: config.serviceUrls,
    consoleUrl: agreement?.url ?? null,
  };
  const docs = await startDocs(docsConfigOf(values, { host: values.HOST, addresses }), { print });
  closers.add(() => docs.stop());
  step("Starting the identity provider and the gateway");
  const auth = await startOwnAuth(system, docs, agreement);
  closers.add(() => auth.stop());
  const gateway = await startOwnGateway(system, { auth, docs });
  closers.add(() => gateway.stop());
  const receiverUrl = receiver?.url ?? null;
  const beside = { authPort: auth.port, apiPort: gateway.port, docsUrl: docs.origin, receiverUrl };
  const console =
    agreement && (await startOwnConsole(config, agreement, { ownDatabaseUrl: databaseUrl, beside, print }));
  closers.add(async () => console?.stop());
  return {
    port: gateway.port,
    directPorts: gateway.directPorts,
    metricsPort: gateway.metricsPort,
    authPort: auth.port,
    authMetricsPort: auth.metricsPort,
    dispatcherMetricsPort: dispatcher.metricsPort,
    workerMetricsPort: worker.metricsPort,
    docs,
    console: agreement && console && { ...console, url: agreement.url },
    receiver,
    demo: values.LIVEMODE ? null : await seed(system),
  };
}

/** Values that were made or started for the programs replace settings that are not configured. */
type SystemConfig = LocalConfig & {
  databaseUrl: string;
  encryptionKeys: readonly Buffer[];
  receiver: RunningReceiver | null;
};

/** The dispatcher trusts the receiver's own authority in addition to the public ones, if there is a receiver. */
function startOwnDispatcher(system: SystemConfig, print: (line: string) => void): Promise<RunningDispatcher> {
  const config = dispatcherConfigOf(system.values, system);
  const authorityFile = system.receiver?.authorityFile ?? null;
  const own = {
    ...config,
    allowedHosts: withReceiver(config.allowedHosts, system.receiver),
    extraCaFiles: [...config.extraCaFiles, ...(authorityFile === null ? [] : [authorityFile])],
  };
  return startDispatcher(own, config.mail.kind === "files" ? { onMail: (where) => print(`mail ${where}`) } : {});
}

function startOwnAuth(system: SystemConfig, docs: RunningDocs, console: ConsoleAgreement | null): Promise<RunningAuth> {
  const { authUrl, apiUrl } = system;
  const config = authConfigOf(
    { ...system.values, CONSOLE_URL: console?.url ?? null, CONSOLE_CLIENT_SECRET: console?.clientSecret ?? null },
    system,
  );
  return startAuth({ ...config, authUrl, apiUrl, docsUrl: config.docsUrl ?? docs.origin });
}

/** The gateway reads the keys of the local identity provider, whatever its public address. */
function startOwnGateway(
  system: SystemConfig,
  { auth, docs }: { auth: RunningAuth; docs: RunningDocs },
): Promise<RunningGateway> {
  const { values, authUrl, apiUrl, receiver } = system;
  const config = gatewayConfigOf(values, system);
  const jwksUrl = values.JWKS_URL ?? `http://${hostForUrl(values.HOST)}:${auth.port}/api/v1/jwks`;
  return startGateway(
    {
      ...config,
      directPorts: values.SERVICE_PORTS,
      docsUrl: config.docsUrl ?? docs.origin,
      authProvider: { authUrl, apiUrl, jwksUrl },
      webhookAllowedHosts: withReceiver(config.webhookAllowedHosts, receiver),
    },
    { schemasAtFirstUse: true },
  );
}

function withReceiver(hosts: readonly string[], receiver: RunningReceiver | null): readonly string[] {
  return receiver ? [...hosts, hostOf(new URL(receiver.url))] : hosts;
}

async function seed({ databaseUrl, encryptionKeys, dataDir, authUrl, apiUrl }: SystemConfig): Promise<Demo | null> {
  const own = { applicationName: "gateway-demo", maxConnections: 1, livemode: false };
  const database = await openPlatformDatabase({ url: databaseUrl, encryptionKeys, ...own });
  try {
    const demo = await createDemo(database, { clock: database.clock, cipher: createCipher(encryptionKeys) });
    await noteDemoApplication(dataDir, { clientId: demo?.applicationId, authUrl, apiUrl });
    return demo;
  } finally {
    await database.close();
  }
}
