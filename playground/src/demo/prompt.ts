/** Something to try: a message, and what it shows. */
export interface Prompt {
  name: string
  text: string
}
