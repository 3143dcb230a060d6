import { Problem } from "@gateway/contract";

export function noSuchInstrument(): Problem {
  return new Problem("NOT_FOUND", "There is no instrument with this symbol. GET /instruments lists them.");
}
