import type { Socket } from "node:net";

const interimStart = Buffer.from("HTTP/1.1 100");
const headEnd = Buffer.from("\r\n\r\n");
/** Maximum number of bytes that undici reads of a response's headers. */
const maxInterimBytes = 16 * 1024;

const staleErrors = new WeakSet<object>();

/**
 * Whether the receiver closed a kept connection before a byte of the response. Such a close is not the receiver's
 * fault.
 */
export function isStaleConnection(error: unknown): boolean {
  return typeof error === "object" && error !== null && staleErrors.has(error);
}

/**
 * Watches one connection below undici. Drops `100 Continue`, which a client must always expect (RFC 9110, 15.2.1) and
 * at which undici ends the connection. Marks the error of a kept connection that ends unread: see `isStaleConnection`.
 */
export function watchConnection(socket: Socket): Socket {
  const state: State = { hasAnswered: false, awaitsAnswer: false, hasReadNothing: false, held: Buffer.alloc(0) };
  // undici sets no encoding, so a socket gives bytes.
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  // The arguments are passed on as they came, whichever overload they are for.
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    state.awaitsAnswer = true;
    state.hasReadNothing = true;
    return write(...args);
  };
  socket.read = (size?: number): Buffer | null => {
    for (let chunk = read(size); chunk !== null; chunk = read(size)) {
      state.hasReadNothing = false;
      const answer = state.awaitsAnswer ? dropInterim(state, chunk) : chunk;
      if (answer !== null) {
        return answer;
      }
    }
    return null;
  };
  const isStale = (): boolean => state.hasAnswered && state.hasReadNothing;
  socket.prependListener("error", (error) => {
    if (isStale()) {
      staleErrors.add(error);
    }
  });
  socket.prependListener("end", () => {
    if (isStale()) {
      const error = new Error("The connection was closed before a response began.");
      staleErrors.add(error);
      socket.destroy(error);
    }
  });
  return socket;
}

type State = {
  /** A response has begun on this connection before. */
  hasAnswered: boolean;
  /** A request was written, and its final response has not begun. */
  awaitsAnswer: boolean;
  /** A request was written, and not a byte was read since. */
  hasReadNothing: boolean;
  /** Bytes that may be the beginning of an interim response. */
  held: Buffer;
};

/** The bytes without interim responses in front; null while they may be one, or when nothing is left. */
function dropInterim(state: State, chunk: Buffer): Buffer | null {
  let bytes = state.held.length === 0 ? chunk : Buffer.concat([state.held, chunk]);
  state.held = Buffer.alloc(0);
  while (bytes.length > 0) {
    if (!startsAsInterim(bytes)) {
      state.awaitsAnswer = false;
      state.hasAnswered = true;
      return bytes;
    }
    const end = bytes.indexOf(headEnd);
    if (end === -1) {
      return hold(state, bytes);
    }
    bytes = bytes.subarray(end + headEnd.length);
  }
  return null;
}

function hold(state: State, bytes: Buffer): Buffer | null {
  if (bytes.length < maxInterimBytes) {
    state.held = bytes;
    return null;
  }
  state.awaitsAnswer = false;
  return bytes;
}

function startsAsInterim(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, interimStart.length);
  return bytes.compare(interimStart, 0, length, 0, length) === 0;
}
