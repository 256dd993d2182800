import { describeRecordedStreams } from '../../test/recordedStreams'
import { createOllamaProvider } from './ollama'

describeRecordedStreams('ollama', createOllamaProvider, 4)
