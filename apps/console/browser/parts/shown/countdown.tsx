import { useSecond } from "../page/use-second.ts";

/** How long until a moment, as `1 d 02:59:41`, while it is looked at; nothing from then on. */
export function Countdown({ until }: { until: string }) {
  const leftMs = Date.parse(until) - useSecond();
  return leftMs <= 0 ? null : (
    <span className="countdown" role="timer">
      {leftOf(leftMs)} left
    </span>
  );
}

function leftOf(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  const days = Math.floor(seconds / 86_400);
  const [hours, minutes, rest] = [seconds / 3600, seconds / 60, seconds].map((value, index) =>
    String(Math.floor(value) % (index === 0 ? 24 : 60)).padStart(2, "0"),
  );
  return `${days > 0 ? `${days} d ` : ""}${hours}:${minutes}:${rest}`;
}
