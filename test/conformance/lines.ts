/** The events of a watch in JSON, in short: `ADDED a`, `ERROR 410`. Reads only as far as requested. */
export class Lines {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(answer: Response) {
    this.#reader = answer.body?.getReader();
  }

  /** The next events; fewer if the watch ends earlier. */
  async take(count: number): Promise<readonly string[]> {
    const lines: string[] = [];
    while (lines.length < count) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        lines.push(shape(this.#text.slice(0, end)));
        this.#text = this.#text.slice(end + 1);
        continue;
      }
      const piece = await this.#reader?.read();
      if (piece === undefined || piece.done) return lines;
      this.#text += this.#decoder.decode(piece.value, { stream: true });
    }
    return lines;
  }

  /** The events until the watch ends. */
  rest(): Promise<readonly string[]> {
    return this.take(Number.POSITIVE_INFINITY);
  }
}

/** An event in short; anything else by its kind. */
export function shape(line: string): string {
  const { type, kind, object } = JSON.parse(line);
  return `${type ?? kind} ${object?.metadata?.name ?? object?.code ?? ""}`.trim();
}
