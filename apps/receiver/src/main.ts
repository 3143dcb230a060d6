import { runProgram } from "@gateway/process";
import { startReceiver, type RunningReceiver } from "./app.ts";
import { readReceiverConfig, receiverSettings } from "./config.ts";

await runProgram({
  help: {
    command: "npm run receiver",
    does: "Receives webhooks by HTTPS on this machine, verifies them, and prints a line for each.",
    settings: receiverSettings,
    example: "RECEIVER_PORT=8444 npm run receiver",
  },
  stopWaitsFor: "deliveries under way",
  readConfig: () => readReceiverConfig(process.env),
  start: async (config) => {
    const receiver = await startReceiver(config, { print: (line) => console.log(line) });
    console.log(welcome(receiver));
    return receiver;
  },
  portsOf: ({ host, port }) => ({ RECEIVER_PORT: { host, port, hostSetting: "RECEIVER_HOST" } }),
});

function welcome({ url, secretFile, authorityFile }: RunningReceiver): string {
  return [
    "",
    `The receiver waits for deliveries at ${url}`,
    "",
    `  Secrets   ${secretFile} (append the response of POST /api/v1/webhooks, or the secret on a line)`,
    ...(authorityFile === null ? [] : [`  Authority ${authorityFile} (for clients that check certificates)`]),
    "",
  ].join("\n");
}
