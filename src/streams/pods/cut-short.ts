import { ChangeSignal, type FollowedPod } from "./followed-pod.ts";

/** When something ends that does not end by itself, and how. */
export interface Cut<T> {
  readonly followed: FollowedPod;
  readonly isOver: () => boolean;
  readonly ending: T;
}

/** The result of some work, or the ending once it is over: its signal aborts then, as it does when the client leaves. */
export async function cutShort<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { followed, isOver, ending }: Cut<T>,
  client: AbortSignal,
): Promise<T> {
  const [over, done] = [new AbortController(), new AbortController()];
  const watched = untilOver(isOver, followed, done.signal).then(() => {
    if (!done.signal.aborted) over.abort();
    return ending;
  });
  try {
    return await Promise.race([work(AbortSignal.any([client, over.signal])), watched]);
  } finally {
    done.abort();
  }
}

async function untilOver(
  isOver: () => boolean,
  { onChange }: FollowedPod,
  signal: AbortSignal,
): Promise<void> {
  const changes = new ChangeSignal(onChange, signal);
  while (!signal.aborted && !isOver()) await changes.next();
  changes.stop();
}
