import type { Socket } from "node:net";

/** Long enough for an answer to cross the world. */
const lingerMs = 1000;

/** What still comes is thrown away for a second, because cutting at once would make a reset overtake our answer. */
export function closeGently(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
  socket.end();
}
