import { isPublicAddress } from "@gateway/engine/public-host";
import { resolveHost, type EgressRules, type LookupAddresses } from "@gateway/platform/events";
import { connect as connectTcp, isIP, isIPv6, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import { ConnectError } from "./connect-error.ts";
import { watchConnection } from "./watch-connection.ts";

export type GuardedConnectorOptions = EgressRules & {
  lookup: LookupAddresses;
  /** Made once: reading the authorities' certificates takes longer than a handshake. */
  secureContext: SecureContext;
  /** From the look-up of the name to the end of the handshake. */
  timeoutMs: number;
};

/**
 * Dials for undici. Every address of the name is checked, only those are dialled, and the one that connected is checked
 * again. The certificate must be valid for the name. Every failure is a ConnectError, before a byte was sent.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const dialForUndici = callbackify((target: buildConnector.Options) => dial(target, options).catch(throwConnectError));
  return (target, callback) => {
    dialForUndici(target, (error, socket) => (error ? callback(error, null) : callback(null, watchConnection(socket))));
  };
}

function throwConnectError(error: unknown): never {
  throw error instanceof ConnectError ? error : new ConnectError("connection_failed", { cause: error });
}

async function dial(target: buildConnector.Options, options: GuardedConnectorOptions): Promise<Socket> {
  const deadline = performance.now() + options.timeoutMs;
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const resolution = await before(deadline, resolveHost(host, options));
  if (resolution.kind === "blocked") {
    throw new ConnectError("blocked");
  }
  if (resolution.kind === "unresolved") {
    throw new ConnectError("connection_failed", { cause: resolution.cause });
  }
  return openSocket({ target, host, addresses: resolution.addresses, deadline, options });
}

/** A look-up cannot be canceled, so its result is ignored after the deadline. */
async function before<Value>(deadline: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ConnectError("timeout")), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

type Dial = {
  target: buildConnector.Options;
  host: string;
  addresses: readonly string[];
  deadline: number;
  options: GuardedConnectorOptions;
};

function openSocket(call: Dial): Promise<Socket> {
  const { deadline, host, options } = call;
  return new Promise((resolve, reject) => {
    const isTls = call.target.protocol === "https:";
    const socket = isTls ? startTls(call) : connectTcp(addressOf(call));
    let phase: "connection_failed" | "tls_failed" = "connection_failed";
    const timer = setTimeout(() => fail(new ConnectError("timeout")), Math.max(0, deadline - performance.now()));
    const fail = (error: ConnectError): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const onReady = (): void => {
      clearTimeout(timer);
      // The listener for errors stays: until undici has its own, an error would end the process.
      socket.removeListener("close", onClose);
      resolve(socket);
    };
    const onError = (cause: Error): void => fail(new ConnectError(phase, { cause }));
    const onClose = (): void => fail(new ConnectError(phase));
    socket.setNoDelay(true);
    socket.on("error", onError);
    socket.once("close", onClose);
    socket.once("connect", () => {
      if (!isAllowedPeer(socket.remoteAddress, host, options)) {
        fail(new ConnectError("blocked"));
        return;
      }
      phase = "tls_failed";
      if (!isTls) {
        onReady();
      }
    });
    socket.once("secureConnect", onReady);
  });
}

function isAllowedPeer(address: string | undefined, host: string, { allowedHosts }: EgressRules): boolean {
  return allowedHosts.includes(host) || (address !== undefined && isPublicAddress(address));
}

function startTls(call: Dial): Socket {
  const { host, options } = call;
  // Names on the wire and in certificates have no dot at the end. An address is not a name for SNI (RFC 6066, 3).
  const name = host.replace(/\.$/, "");
  return connectTls({
    ...addressOf(call),
    ...(isIP(host) === 0 && { servername: name }),
    secureContext: options.secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
}

/** Node tries the addresses in turn, a quarter of a second apart, and takes the first that answers. */
function addressOf({ target, host, addresses }: Dial) {
  return { host, port: portOf(target), lookup: answerWith(addresses), autoSelectFamily: true };
}

function portOf(target: buildConnector.Options): number {
  return target.port ? Number(target.port) : target.protocol === "https:" ? 443 : 80;
}

/** Replaces DNS by the addresses that were checked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, callback) => {
    const [first] = answers;
    if (all) {
      callback(null, answers);
    } else {
      callback(null, first?.address ?? "", first?.family);
    }
  };
}
