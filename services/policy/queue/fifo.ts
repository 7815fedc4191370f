/**
 * First in, first out, in constant time: an array whose head moves on, cut down once half of it is behind.
 */
export class Fifo<T> {
  private items: T[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  push(item: T): void {
    this.items.push(item);
  }

  peek(): T | undefined {
    return this.items[this.head];
  }

  last(): T | undefined {
    return this.length === 0 ? undefined : this.items.at(-1);
  }

  /** Takes the one that came last. */
  pop(): T | undefined {
    return this.length === 0 ? undefined : this.items.pop();
  }

  shift(): T | undefined {
    if (this.head >= this.items.length) return undefined;
    const item = this.items[this.head];
    this.head += 1;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  /** Drops what does not pass `keep`; the rest stays in order. Linear in the length. */
  retain(keep: (item: T) => boolean): void {
    this.items = this.items.slice(this.head).filter(keep);
    this.head = 0;
  }
}
