import type { Socket } from "node:net";

/** Long enough for a response to cross the world. */
const lingerMs = 1000;

/** Discards further input for a second, because cutting at once would make a reset overtake our response. */
export function closeGently(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
  socket.end();
}
