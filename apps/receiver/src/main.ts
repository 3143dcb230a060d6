import { ConfigurationError } from "@gateway/kernel";
import { startReceiver, type RunningReceiver } from "./app.ts";
import { readReceiverConfig } from "./config.ts";

try {
  const receiver = await startReceiver(readReceiverConfig(process.env), { print: (line) => console.log(line) });
  console.log(welcome(receiver));
  const stop = (): void => void receiver.stop().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

function welcome({ url, secretFile, authorityFile }: RunningReceiver): string {
  return [
    "",
    `The receiver waits for deliveries at ${url}`,
    "",
    `  Secrets   ${secretFile} (append the answer of POST /api/v1/webhooks, or the secret on a line)`,
    ...(authorityFile === null ? [] : [`  Authority ${authorityFile} (for clients that check certificates)`]),
    "",
  ].join("\n");
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `${error.message}. Another program has this port: set RECEIVER_PORT to a free one.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
