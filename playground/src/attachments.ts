import { ref } from 'vue'
import type { FilePart } from 'vue-llm'

/** A picture that goes with the next message. */
export type Attachment = Omit<FilePart, 'step'> & { data: string; filename: string }

/** The largest picture that is taken: bytes. */
const maxBytes = 4 * 1024 * 1024

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      resolve(String(reader.result).replace(/^[^,]*,/, ''))
    })
    reader.addEventListener('error', () => {
      reject(reader.error ?? new Error('the file could not be read'))
    })
    reader.readAsDataURL(file)
  })
}

/** Pictures that wait to be sent, and what was wrong with those that do not. */
export function useAttachments() {
  const attachments = ref<Attachment[]>([])
  const problem = ref('')

  async function add(files: Iterable<File>): Promise<void> {
    problem.value = ''
    for (const file of files) {
      if (!file.type.startsWith('image/')) problem.value = `${file.name} is no picture.`
      else if (file.size > maxBytes) problem.value = `${file.name} is larger than 4 MB.`
      else {
        const data = await readBase64(file)
        attachments.value.push({ type: 'file', mediaType: file.type, data, filename: file.name })
      }
    }
  }

  function remove(index: number): void {
    attachments.value.splice(index, 1)
  }

  /** Hands out what waits, once. */
  function take(): Attachment[] {
    const taken = attachments.value
    attachments.value = []
    problem.value = ''
    return taken
  }

  return { attachments, problem, add, remove, take }
}
