/** Why a version of a client cannot run here, if it cannot: the newest versions need a newer Node. */
export function tooOldFor(client: string, major: number): string | undefined {
  const [running = 0] = process.versions.node.split(".").map(Number);
  return running < major ? `${client} needs Node ${major}, this is ${process.versions.node}` : undefined;
}
